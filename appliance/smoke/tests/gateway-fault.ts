/** What to look at when the gateway lets something through to a component, and what to do until then. */
export function gatewayFault(part: string): string {
  return `sudo docker logs --tail 50 landfall-gateway; until it holds, stop it: sudo docker stop landfall-${part}`;
}
