-- Feed-in payment and savings together of the running local day and month (`site_latest.local_day`), for sums over many plants. Null where
-- no price was valid, or where the currency changed within that time.
ALTER TABLE site_latest
  ADD COLUMN money_currency text,
  ADD COLUMN today_money numeric(20, 6),
  ADD COLUMN month_money numeric(20, 6);
