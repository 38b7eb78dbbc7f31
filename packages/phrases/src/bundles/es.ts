export const files = import.meta.glob<unknown>(['../*/es.json', '!../errors/*'], { eager: true, import: 'default' });
