import './theme/styles.ts';
import { fetchFirstScreen } from './first-screen.ts';
import { showColourScheme } from './theme/colour-scheme.ts';

showColourScheme();
// Small, and first: what the page needs is asked for while the code that shows it is still on its way.
const first = fetchFirstScreen(location);
void import('./app.tsx').then(({ showApp }) => showApp(first));
