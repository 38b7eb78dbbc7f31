import { useState } from 'react';

interface Answered<Asked, Data> {
  readonly asked: Asked;
  readonly data: Data;
}

/**
 * An answer with the question that it answers. While another one is asked and the earlier answer is kept in its place, it stands
 * with its own question: what it says would be false under the new one.
 */
export function useAnswered<Asked, Data extends object>(
  asked: Asked,
  { data, isPlaceholderData }: { data: Data | undefined; isPlaceholderData: boolean },
): Answered<Asked, Data> | undefined {
  const [answered, setAnswered] = useState<Answered<Asked, Data>>();
  if (data === undefined) return undefined;
  if (isPlaceholderData) return answered;
  if (answered?.data === data) return answered;
  const now = { asked, data };
  setAnswered(now);
  return now;
}
