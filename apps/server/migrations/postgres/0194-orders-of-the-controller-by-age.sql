-- What the controller of a grid point ordered, the oldest first, so that what is too old is found without reading the others.
CREATE INDEX commands_of_controller ON commands (created_at) WHERE source = 'ems';
