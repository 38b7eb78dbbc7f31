import { type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ActionProps } from './actions.tsx';
import { ConfirmAction } from './confirm-action.tsx';

interface ActionQuestionProps extends Omit<ActionProps<unknown>, 'row' | 'of'> {
  send: () => Promise<unknown>;
  danger: boolean;
  meaning: ReactNode;
  answer: ((result: unknown) => ReactNode) | undefined;
}

/** Asks, sends, and shows what the answer has to be shown for. */
export function ActionQuestion(props: ActionQuestionProps): ReactNode {
  const { send, danger, meaning, answer, onClose, onDone, words } = props;
  const { t } = useTranslation();
  const [result, setResult] = useState<unknown>();
  const answered = useRef(false);
  if (result !== undefined && answer) return answer(result);
  const text = (part: 'title' | 'text') => t(`${words.question}.${part}` as never, { name: words.name });
  return (
    <ConfirmAction
      opened
      onClose={() => {
        if (!answered.current) onClose();
      }}
      title={text('title')}
      confirmLabel={words.label}
      danger={danger}
      onConfirm={async () => {
        const given = await send();
        onDone();
        if (!answer) return;
        answered.current = true;
        setResult(given);
      }}
    >
      {meaning}
      <p>{text('text')}</p>
    </ConfirmAction>
  );
}
