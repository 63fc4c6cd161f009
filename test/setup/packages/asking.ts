import { Afterwards, runOnSignals } from '../afterwards.ts';
import { sayOnScreen } from '../say.ts';
import { agreeTo, leftOutBy } from './packages.ts';

// Program of packages.test.ts: asks for a package as `npm test` does, and prints how it goes on.
const afterwards = new Afterwards();
afterwards.add(async () => console.log('cleaned up'));
runOnSignals(afterwards);
// An empty obstacle, so that it also asks other users than root.
const plan = await agreeTo(['no-such-package'], sayOnScreen, '');
console.log(['goes on', ...leftOutBy(plan).notes].join('\n'));
