import { drawTasks } from '../../papers/pdf-maker.ts';
import { drawReport } from './draw-sheet.ts';

drawTasks(drawReport);
