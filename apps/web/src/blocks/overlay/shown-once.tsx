import type { ReactNode } from 'react';
import { Button } from '../show/button.tsx';
import { Dialog } from './dialog.tsx';

interface ShownOnceProps {
  title: string;
  closeLabel: string;
  onClose: () => void;
  children: ReactNode;
}

/** A new secret, which nobody can read again once this is closed; a click beside it does not. */
export function ShownOnce({ title, closeLabel, onClose, children }: ShownOnceProps): ReactNode {
  return (
    <Dialog
      title={title}
      opened
      onClose={(by) => {
        if (by !== 'beside' && by !== 'swipe') onClose();
      }}
      footer={
        <Button look="filled" onClick={onClose}>
          {closeLabel}
        </Button>
      }
    >
      {children}
    </Dialog>
  );
}
