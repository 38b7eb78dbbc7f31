import { Component, type ReactNode, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../blocks/show/button.tsx';
import { ErrorNotice } from '../blocks/show/error-notice.tsx';
import { isChunkFailure, reloadWhenAnswered, retryNow } from '../client/chunk-failure.ts';
import styles from './screen-boundary.module.css';

interface State {
  error: unknown;
  failed: boolean;
}

/** Code that did not come: the tab stays, and opens once the server answers. */
function MissingCode() {
  const { t } = useTranslation();
  return (
    <div className={styles.missing} role="alert">
      <p>{t('common.chunkFailure')}</p>
      <Button small onClick={() => void retryNow()}>
        {t('common.retry')}
      </Button>
    </div>
  );
}

/** A screen that fails leaves the shell and the other tabs alone. */
export class ScreenBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = { error: undefined, failed: false };

  static getDerivedStateFromError(error: unknown): State {
    return { error, failed: true };
  }

  override componentDidCatch(error: unknown): void {
    if (isChunkFailure(error)) reloadWhenAnswered();
  }

  override render() {
    const { error, failed } = this.state;
    if (!failed) return this.props.children;
    if (isChunkFailure(error)) return <MissingCode />;
    return <ErrorNotice error={error} retry={() => this.setState({ error: undefined, failed: false })} />;
  }
}

/** A part of the shell whose code comes when it is first asked for; without it the rest goes on. */
export class LazyPart extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override componentDidCatch(error: unknown): void {
    if (isChunkFailure(error)) reloadWhenAnswered();
  }

  override render() {
    return this.state.failed ? null : <Suspense>{this.props.children}</Suspense>;
  }
}
