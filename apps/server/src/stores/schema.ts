import type { PeopleTables } from './schema-people.ts';
import type { PlantTables } from './schema-plants.ts';

/** The tables of PostgreSQL as the newest migration leaves them. */
export interface Database extends PeopleTables, PlantTables {}
