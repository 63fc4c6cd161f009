import { unconfirmed } from '../../host/undo/undo.ts';
import type { Check } from '../finding.ts';

/** Reports changes that are undone automatically unless the administrator confirms them. */
export const unconfirmedCheck: Check = {
  name: 'unconfirmed',
  root: true,
  needs: 'server',
  run: async (host) =>
    (await unconfirmed(host)).map((name) => ({
      code: 'CHANGE_UNCONFIRMED',
      subject: name,
      text: `the change of ${name} waits for a confirmation`,
    })),
};
