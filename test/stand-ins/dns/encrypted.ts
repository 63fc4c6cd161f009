import type { Handler } from '../../faulty-server/faulty-server.ts';
import { answerQuery, type Zone } from './answer.ts';

const type = 'application/dns-message';

/** A resolver with DNS over HTTPS (RFC 8484): GET with the query in base64url, ID 0. */
export function encryptedResolver(zone: Zone): Handler {
  return ({ request, response, url }) => {
    const query = Buffer.from(url.searchParams.get('dns') ?? '', 'base64url');
    const isValid = request.method === 'GET' && request.headers.accept === type;
    if (!isValid || query.length < 12 || query.readUInt16BE(0) !== 0) {
      response.writeHead(400).end();
      return;
    }
    response.writeHead(200, { 'content-type': type }).end(answerQuery(query, zone));
  };
}
