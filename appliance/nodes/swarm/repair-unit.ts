import type { Service } from '../../server/host/service.ts';

const unit = 'landfall-overlay.service';

/**
 * Docker tries once to start a container on an overlay while the Swarm is not there yet; the container
 * then stays `exited (255)` (decision 74). Those that an administrator stopped have another code.
 */
const left =
  'docker ps --all --quiet --filter label=com.docker.compose.project=landfall --filter status=exited --filter exited=255';

/** The unit that starts these containers after each start of Docker. */
export const overlayRepair = {
  files: [
    {
      path: `etc/systemd/system/${unit}`,
      text: `[Unit]
Description=Landfall: start the containers that wait for the Swarm
After=docker.service
PartOf=docker.service

[Service]
ExecStartPre=/bin/sleep 5
ExecStart=/bin/sh -c 'while ids=$$(${left}) && [ -n "$$ids" ]; do docker start $$ids; sleep 5; done'

[Install]
WantedBy=docker.service
`,
    },
  ],
  units: [{ name: unit }],
} satisfies Service;
