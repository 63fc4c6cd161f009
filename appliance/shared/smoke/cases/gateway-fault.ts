/** Returns the hint for a request that the gateway should have blocked. */
export function gatewayFault(name: string): string {
  return `sudo docker logs --tail 50 landfall-gateway; until this is fixed, stop the front-end: sudo docker stop landfall-${name}`;
}
