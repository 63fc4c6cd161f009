import type { Alert } from '../../../../appliance/server/alerts/message.ts';

export const failedAlert: Alert = {
  subject: 'images of docker.io & others',
  state: 'failed',
  since: '2026-11-22T21:15:00.000Z',
  at: '2026-11-22T21:45:00.000Z',
  detail: 'registry-1.docker.io is unreachable: connection refused',
  command: 'sudo landfall route test',
};

export const workingAlert: Alert = {
  subject: failedAlert.subject,
  state: 'working',
  since: failedAlert.since,
  at: '2026-11-22T22:00:00.000Z',
  command: failedAlert.command,
};
