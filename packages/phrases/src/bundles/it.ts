export const files = import.meta.glob<unknown>(['../*/it.json', '!../errors/*'], { eager: true, import: 'default' });
