import { distributions } from '../distributions.ts';
import { hostNeeds } from '../host-needs.ts';
import { describeInterrupted } from './interrupted-lab.ts';

const [distribution = 'debian13'] = distributions(['debian13']);

describeInterrupted(hostNeeds(distribution, 'serverBundle'), distribution, 'second');
