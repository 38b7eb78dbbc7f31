import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { keepOpen, openModal } from './modal.ts';

/** As much of a page as a modal window touches. */
class Element {
  isConnected = true;
  parentElement = null;
  closest = () => null;
  focus = () => {
    page.activeElement = this;
  };
}
class Modal extends Element {
  showModal = this.focus;
  /** It is already off the page, and nobody has the focus. */
  close = () => {
    page.activeElement = page.body;
  };
}
const page = { body: new Element(), activeElement: new Element(), addEventListener: vi.fn() };
const modal = () => new Modal() as unknown as HTMLDialogElement;

beforeEach(() => {
  vi.stubGlobal('document', page);
  vi.stubGlobal('HTMLElement', Element);
  vi.stubGlobal(
    'MutationObserver',
    class {
      observe = vi.fn();
    },
  );
  page.activeElement = page.body;
});
afterEach(() => vi.unstubAllGlobals());

test('a modal window gives the focus back to what opened it', () => {
  const button = new Element();
  button.focus();
  openModal(modal(), { current: null })();
  expect(page.activeElement).toBe(button);
});

test('a modal window that comes back with its tab still knows what opened it', () => {
  const button = new Element();
  const opener = { current: null };
  button.focus();
  const hide = openModal(modal(), opener);
  hide();
  page.body.focus();
  openModal(modal(), opener)();
  expect(page.activeElement).toBe(button);
});

test('a modal window does not take the focus from what got it meanwhile', () => {
  const [button, other] = [new Element(), new Element()];
  button.focus();
  const window = modal();
  const close = openModal(window, { current: null });
  window.close = () => other.focus();
  close();
  expect(page.activeElement).toBe(other);
});

test('a modal window that the browser closed unasked, and that stays, is opened again', () => {
  const stays = { isConnected: true, open: false, showModal: vi.fn() };
  const focus = vi.fn();
  keepOpen(stays as unknown as HTMLDialogElement, focus);
  expect(stays.showModal).toHaveBeenCalledTimes(1);
  expect(focus).toHaveBeenCalledWith(stays);
});

test.each([
  ['is open', { isConnected: true, open: true }],
  ['is gone', { isConnected: false, open: false }],
])('a modal window that %s is not opened again', (_, window) => {
  const showModal = vi.fn();
  keepOpen({ ...window, showModal } as unknown as HTMLDialogElement);
  expect(showModal).not.toHaveBeenCalled();
});
