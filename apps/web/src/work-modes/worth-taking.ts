interface Saves {
  readonly outcome: { readonly saved: string | null };
}

/** Whether money is known, and is a loss. */
export const isLoss = (saved: string | null): boolean => saved !== null && Number(saved) < 0;

/** Proposals that save something or whose saving is not known, and those that are known to save nothing. */
export function apartBySaving<P extends Saves>(proposals: readonly P[]): { saving: P[]; idle: P[] } {
  const isIdle = ({ outcome: { saved } }: P): boolean => saved !== null && Number(saved) <= 0;
  return { saving: proposals.filter((each) => !isIdle(each)), idle: proposals.filter(isIdle) };
}
