export const files = import.meta.glob<unknown>(['../*/en.json', '!../errors/*'], { eager: true, import: 'default' });
