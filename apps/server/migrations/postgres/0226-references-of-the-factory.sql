-- A manufacturer or a batch that goes is looked up where it is named.
CREATE INDEX model_warranties_of_manufacturer ON model_warranties (manufacturer_id) WHERE manufacturer_id IS NOT NULL;
CREATE INDEX unit_imports_of_batch ON unit_imports (batch_id);
