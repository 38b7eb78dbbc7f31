const CONTROLS = 'a[href], button:enabled, input:enabled';

/** Where the focus was: also once the element, or the whole row of a list that it stood in, is off the page. */
export interface Spot {
  element: HTMLElement;
  /** What is around the row (else the element), nearest first. */
  around: readonly Element[];
  /** Place of the row among its siblings, -1 without a row. */
  row: number;
  /** Place of the element among the controls of its row. */
  control: number;
}

const controlsOf = (element: Element): HTMLElement[] => [...element.querySelectorAll<HTMLElement>(CONTROLS)];

export function spotOf(element: HTMLElement): Spot {
  const row = element.closest('tr, li');
  const around: Element[] = [];
  for (let each = (row ?? element).parentElement; each; each = each.parentElement) around.push(each);
  return {
    element,
    around,
    row: row ? [...(around[0]?.children ?? [])].indexOf(row) : -1,
    control: row ? controlsOf(row).indexOf(element) : -1,
  };
}

/** The same control of the row that took the place; where the list is gone, the first control of what is around it. */
export function successorOf({ around, row, control }: Spot): HTMLElement | undefined {
  const home = around.find((each) => each.isConnected);
  if (!home) return undefined;
  const next = home === around[0] && row >= 0 ? home.children[Math.min(row, home.children.length - 1)] : undefined;
  const controls = next ? controlsOf(next) : [];
  return controls[control] ?? controls[0] ?? controlsOf(home)[0];
}

const nobodyHasIt = (): boolean => document.activeElement === document.body;

/** Gives the focus back, unless somebody has it. A row that is taken away afterwards leaves it to its successor. */
export function giveFocusBack(spot: Spot): void {
  if (!nobodyHasIt()) return;
  if (!spot.element.isConnected) {
    successorOf(spot)?.focus();
    return;
  }
  spot.element.focus();
  const observer = new MutationObserver(() => {
    if (spot.element.isConnected) return;
    observer.disconnect();
    if (nobodyHasIt()) successorOf(spot)?.focus();
  });
  observer.observe(document.body, { childList: true, subtree: true });
  document.addEventListener('focusin', () => observer.disconnect(), { once: true });
}
