export const files = import.meta.glob<unknown>(['../*/de.json', '!../errors/*'], { eager: true, import: 'default' });
