-- Older savers noted that a channel became empty: a row of type 'empty' without value.
ALTER TABLE checkpoint_blobs ALTER COLUMN blob DROP NOT NULL;
