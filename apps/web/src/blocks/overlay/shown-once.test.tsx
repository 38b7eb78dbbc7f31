import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import type { ClosedBy } from './dialog.tsx';
import { ShownOnce } from './shown-once.tsx';

let close: (by: ClosedBy) => void;
vi.mock('./dialog.tsx', () => ({
  Dialog: ({ onClose }: { onClose: typeof close }) => {
    close = onClose;
    return null;
  },
}));

test('a secret that is shown once does not go with a click beside it', () => {
  const onClose = vi.fn();
  renderToStaticMarkup(
    <ShownOnce title="New key" closeLabel="Done" onClose={onClose}>
      secret
    </ShownOnce>,
  );
  close('beside');
  expect(onClose).not.toHaveBeenCalled();
  close('button');
  expect(onClose).toHaveBeenCalledTimes(1);
});
