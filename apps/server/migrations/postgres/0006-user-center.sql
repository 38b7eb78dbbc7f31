ALTER TABLE notification_channels
  ADD COLUMN last_error_at timestamptz;

-- The name of a client at the broker (MQTT); made on first use.
CREATE UNIQUE INDEX accounts_client_id ON accounts (client_id) WHERE client_id <> '';
