-- The organisation from which an order was asked, where no end user asked it, and whether another organisation than theirs has had it: those do not read what is internal of it.
ALTER TABLE work_orders
  ADD asked_from uuid REFERENCES organisations (id) ON DELETE SET NULL,
  ADD left_asker boolean NOT NULL DEFAULT false;
UPDATE work_orders SET asked_from = accounts.organisation_id,
  left_asker = work_orders.holder_id <> accounts.organisation_id OR EXISTS (
    SELECT FROM work_order_entries AS entry
    WHERE entry.order_id = work_orders.id AND entry.kind IN ('handedUp', 'handedDown', 'movedWithPlant'))
  FROM accounts WHERE accounts.id = work_orders.asked_by AND accounts.level <> 1;
CREATE INDEX work_orders_asked_from ON work_orders (asked_from) WHERE asked_from IS NOT NULL;

-- However an order comes to be held by another: handed over, moved with its plant, or with its organisation.
CREATE FUNCTION note_leaving_of_work_order() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    NEW.asked_from := (SELECT organisation_id FROM accounts WHERE id = NEW.asked_by AND level <> 1);
    NEW.left_asker := false;
  END IF;
  IF NEW.asked_from IS NOT NULL AND NEW.holder_id <> NEW.asked_from THEN
    NEW.left_asker := true;
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER work_orders_leaving BEFORE INSERT OR UPDATE OF holder_id ON work_orders FOR EACH ROW EXECUTE FUNCTION note_leaving_of_work_order();
