export const files = import.meta.glob<unknown>(['../*/cs.json', '!../errors/*'], { eager: true, import: 'default' });
