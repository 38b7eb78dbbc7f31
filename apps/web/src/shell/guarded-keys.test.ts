import { describe, expect, test } from 'vitest';
import { guardKeys, isTaken, wantsGuard } from './guarded-keys.ts';

const plain = { shiftKey: false, ctrlKey: false, altKey: false, metaKey: false };

/** A window as far as keys and pointers are concerned; dispatching says whether the event was taken. */
function fakeWindow() {
  const target = new EventTarget();
  const send = (type: string, fields: object = {}) => {
    const event = Object.assign(new Event(type, { cancelable: true }), plain, fields);
    target.dispatchEvent(event);
    return event.defaultPrevented;
  };
  return { target: target as unknown as Window, send };
}

describe('function keys and context menu', () => {
  test('are taken unless the account turned that off, and never before it is known', () => {
    expect([true, null, false].map((keysGuarded) => wantsGuard({ keysGuarded }))).toEqual([true, true, false]);
    expect(wantsGuard(undefined)).toBe(false);
  });

  test('F1 to F12 are taken, all other keys are not', () => {
    for (let number = 1; number <= 12; number += 1) expect(isTaken({ ...plain, key: `F${number}` })).toBe(true);
    for (const key of ['F13', 'F', 'f1', 'Enter', 'Tab', 'ContextMenu', 'F1x']) {
      expect(isTaken({ ...plain, key })).toBe(false);
    }
  });

  test.each(['shiftKey', 'ctrlKey', 'altKey', 'metaKey'] as const)(
    'with %s a function key belongs to browser and system',
    (modifier) => {
      for (let number = 1; number <= 12; number += 1) {
        expect(isTaken({ ...plain, key: `F${number}`, [modifier]: true })).toBe(false);
      }
    },
  );

  test('the menu of a mouse is taken, that of a key and of a finger comes', () => {
    const { target, send } = fakeWindow();
    guardKeys(target);
    expect(send('contextmenu', { pointerType: 'mouse' })).toBe(true);
    expect(send('contextmenu', { pointerType: 'touch' })).toBe(false);
    expect(send('keydown', { key: 'ContextMenu' })).toBe(false);
    expect(send('contextmenu', { pointerType: '' })).toBe(false);
    expect(send('keydown', { key: 'F10', shiftKey: true })).toBe(false);
    expect(send('contextmenu', { pointerType: '' })).toBe(false);
    expect(send('contextmenu', { pointerType: 'mouse' })).toBe(true);
  });

  test('a key that asked in vain lets no later pointer through', () => {
    const { target, send } = fakeWindow();
    guardKeys(target);
    send('keydown', { key: 'ContextMenu' });
    send('pointerdown');
    expect(send('contextmenu', { pointerType: 'mouse' })).toBe(true);
  });

  test('once it ends nothing is taken', () => {
    const { target, send } = fakeWindow();
    guardKeys(target)();
    expect(send('keydown', { key: 'F5' })).toBe(false);
    expect(send('contextmenu', { pointerType: 'mouse' })).toBe(false);
  });
});
