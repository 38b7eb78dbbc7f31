-- Each former password has an end of its own: hash (32 bytes) and epoch milliseconds (8 bytes, big-endian), one behind the other.
UPDATE loggers SET former_token_hash = CASE WHEN former_token_until > now() THEN (
  SELECT string_agg(substring(former_token_hash FROM 32 * place + 1 FOR 32)
    || int8send((extract(epoch FROM former_token_until) * 1000)::bigint), ''::bytea ORDER BY place)
  FROM generate_series(0, length(former_token_hash) / 32 - 1) AS place) END
WHERE former_token_hash IS NOT NULL;
