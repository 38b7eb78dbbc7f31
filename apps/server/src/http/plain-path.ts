import { posix } from 'node:path';

/** The path of a request however it was spelled: without host, query and fragment, decoded, one slash between names. */
export function plainPath(url: string): string {
  const [spelled = ''] = url.replace(/^https?:\/\/[^/?#]*/i, '').split(/[?#]/, 1);
  return posix.normalize(`/${decoded(spelled)}`);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
