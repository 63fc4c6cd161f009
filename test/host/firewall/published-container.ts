import { enginePort } from '#contract/site/engines/engine-node.ts';
import type { FastHost } from '../machine/fast-host.ts';

/** Ports of the server that lead to a container's web server: public, and on loopback. */
export const publishedPort = 8080;
export const loopbackPort = 8081;

/**
 * Installs Docker from the distribution and starts a container on a network with IPv4 and IPv6,
 * which serves HTTP at two published ports. Its programs are those of the server, so nothing is
 * pulled. It stops on SIGKILL: as process 1, Python ignores SIGTERM, and Docker waits ten seconds.
 */
export async function startPublishedContainer(host: FastHost): Promise<void> {
  await host.output(`
    export DEBIAN_FRONTEND=noninteractive
    apt-get -q update
    client=$(apt-cache search --names-only '^docker-cli$' | cut -d' ' -f1)
    apt-get -qy install --no-install-recommends docker.io iptables $client
    mkdir -p /tmp/image/usr /tmp/image/proc && cd /tmp/image
    for name in bin sbin lib lib64; do ln -sfn usr/$name $name; done
    tar -c . | docker import - lab
    docker network create --ipv6 --subnet 172.29.0.0/24 --subnet fd00:29::/64 lab
    docker run --detach --name web --network lab --restart always --stop-signal KILL \\
      --volume /usr:/usr:ro \\
      --publish ${publishedPort}:80 --publish 127.0.0.1:${loopbackPort}:80 \\
      lab /usr/bin/python3 -m http.server --bind :: 80`);
  await host.waitFor(`curl -sf -o /dev/null http://127.0.0.1:${publishedPort}/`, 60);
}

/** Starts a second container, which publishes the ports of a gateway: 80, 443 and that of an engine node. */
export async function startPublishedGateway(host: FastHost): Promise<void> {
  const ports = [80, 443, enginePort].map((port) => `--publish ${port}:80`).join(' ');
  await host.output(`docker run --detach --name gateway --network lab --stop-signal KILL \\
    --volume /usr:/usr:ro ${ports} lab /usr/bin/python3 -m http.server --bind :: 80`);
  await host.waitFor(`curl -sf -o /dev/null http://127.0.0.1:${enginePort}/`, 60);
}

/** Returns the address of the first container. */
export async function containerAddress(host: FastHost): Promise<string> {
  const format = '{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}';
  return await host.output(['docker', 'inspect', '--format', format, 'web']);
}

/** Returns whether the container can connect to a TCP port. */
export async function reaches(host: FastHost, address: string, port: number): Promise<boolean> {
  const script = `import socket; socket.create_connection(('${address}', ${port}), 3).close()`;
  const command = ['docker', 'exec', 'web', '/usr/bin/python3', '-c', script];
  return (await host.run(command)).exitCode === 0;
}
