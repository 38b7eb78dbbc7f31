import { drawTasks } from '../papers/pdf-maker.ts';
import { drawPaper } from './draw-paper.ts';

drawTasks(drawPaper);
