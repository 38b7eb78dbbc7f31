-- An account or a brand that goes is looked up where it is named: without an index that read every document and mail.
CREATE INDEX documents_of_account ON documents (account_id) WHERE account_id IS NOT NULL;
CREATE INDEX mails_of_brand ON mails (brand_id) WHERE brand_id IS NOT NULL;
