import { Component, type ReactNode } from 'react';
import { ErrorNotice } from '../blocks/error-notice.tsx';
import { isChunkFailure, isReloading } from '../client/chunk-failure.ts';

interface State {
  error: unknown;
  failed: boolean;
}

/** A screen that fails leaves the shell and the other tabs alone. */
export class ScreenBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = { error: undefined, failed: false };

  static getDerivedStateFromError(error: unknown): State {
    return { error, failed: true };
  }

  override render() {
    const { error, failed } = this.state;
    if (!failed) return this.props.children;
    if (isReloading()) return null;
    const retry = () => {
      if (isChunkFailure(error)) location.reload();
      else this.setState({ error: undefined, failed: false });
    };
    return <ErrorNotice error={error} retry={retry} />;
  }
}
