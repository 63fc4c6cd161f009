/** What other stages and commands use of updates. */
export { updateLine, updateWarnings } from './announcements.ts';
export { readUpdateState, type UpdateState } from './state.ts';
export { unattendedTimer, updateTimer } from '../../server/timers/updates.ts';
