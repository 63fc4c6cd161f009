import { gatewayLogFile } from '#contract/server-paths.ts';

export const logRotationFile = 'etc/logrotate.d/landfall-gateway';

/** Keeps a week of the gateway's log. It is cut in place: the container holds the file open. */
export function renderLogRotation(): string {
  return `/${gatewayLogFile} {
	daily
	maxsize 50M
	rotate 7
	compress
	delaycompress
	missingok
	notifempty
	copytruncate
}
`;
}
