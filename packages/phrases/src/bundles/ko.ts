export const files = import.meta.glob<unknown>(['../*/ko.json', '!../errors/*'], { eager: true, import: 'default' });
