export const files = import.meta.glob<unknown>(['../*/pt.json', '!../errors/*'], { eager: true, import: 'default' });
