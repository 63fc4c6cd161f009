import { mkdirSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { dirname } from 'node:path';
import type { Host } from '../../../../appliance/server/host/host.ts';
import { afterThisTest } from '../../../setup/cleanup.ts';

/** A pull request that Docker received. */
export interface PullAsked {
  /** `docker.io/x/y@sha256:…` */
  readonly reference: string;
  /** The registry credentials of the request. */
  readonly login: unknown;
}

/** Responds to one pull: writes lines, rejects it, or leaves the response open. */
export type PullAnswer = (response: ServerResponse, asked: PullAsked) => void | Promise<void>;

/**
 * Starts a Docker API that supports pulls only, until the end of the test.
 * @returns the list of requests, which grows as they arrive
 */
export function openDockerSocket(host: Host, answer: PullAnswer = pulled): PullAsked[] {
  const asked: PullAsked[] = [];
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '', 'http://docker');
    if (request.method !== 'POST' || url.pathname !== '/images/create') {
      response.writeHead(404).end('{"message":"page not found"}');
      return;
    }
    const login = request.headers['x-registry-auth'];
    const one = {
      reference: `${url.searchParams.get('fromImage')}@${url.searchParams.get('tag')}`,
      login: login && JSON.parse(Buffer.from(String(login), 'base64url').toString()),
    };
    asked.push(one);
    await answer(response, one);
  });
  const path = host.path('run/docker.sock');
  mkdirSync(dirname(path), { recursive: true });
  server.listen(path);
  afterThisTest(() => {
    server.closeAllConnections();
    server.close();
  });
  return asked;
}

/** Writes lines of progress and leaves the response open. */
export function tell(response: ServerResponse, ...lines: readonly object[]): void {
  for (const line of lines) response.write(`${JSON.stringify(line)}\r\n`);
}

/** The pull succeeds. */
export const pulled: PullAnswer = (response, { reference }) => {
  tell(
    response,
    { status: `Pulling from ${reference.replace(/^[^/]*\/|@.*$/g, '')}`, id: reference },
    { status: `Status: Downloaded newer image for ${reference}` },
  );
  response.end();
};

/** The pull fails after Docker has begun to respond. */
export const failed =
  (error: string): PullAnswer =>
  (response) => {
    tell(response, { errorDetail: { message: error }, error });
    response.end();
  };

/** Docker rejects the pull. */
export const refused =
  (status: number, message: string): PullAnswer =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ message }));
  };
