import { serverNowMs } from '../../client/clock.ts';
import { APP_NAME } from '../../router/document-title.ts';

/** Copyright line with the current year. */
export function Copyright() {
  return <small>{`© ${new Date(serverNowMs()).getFullYear()} ${APP_NAME}`}</small>;
}
