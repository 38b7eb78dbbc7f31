import { Component, type ReactNode } from 'react';
import { ErrorScreen } from './error-screen.tsx';

/** A page that fails as a whole gives way to the page that says so. */
export class ProblemBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override render() {
    return this.state.failed ? <ErrorScreen problem="5xx" /> : this.props.children;
  }
}
