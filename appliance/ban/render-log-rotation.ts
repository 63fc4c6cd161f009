import { gatewayLogFile } from '#contract/server-paths.ts';

export const logRotationFile = 'etc/logrotate.d/landfall-gateway';

/** Renders the log rotation: one week, truncated in place because the container keeps the file open. */
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
