import { pageFiles } from 'strands-tau/channels/web';
import { describe, expect, it } from 'vitest';
import { startHub } from './support/hub.ts';

describe('[P15, P19] the page of a hub', () => {
  it('is served to everybody, and nothing but its files', async () => {
    const page = await pageFiles();
    const hub = await startHub([], { hub: { page } });
    for (const [path, { type, immutable }] of page) {
      const { status, headers } = await hub.send(path);
      expect([path, status, headers.get('content-type'), headers.get('cache-control')?.includes('immutable')]).toEqual([
        path,
        200,
        type,
        immutable,
      ]);
    }
    for (const path of [
      '/index.html',
      '/assets/',
      '/assets/..%2findex.html',
      '/package.json',
      '/%2e%2e/package.json',
    ]) {
      expect([path, (await hub.send(path)).status]).toEqual([path, 404]);
    }
  });

  it('may run its own files only: nothing inline, nothing of others, in no frame', async () => {
    const hub = await startHub([], { hub: { page: await pageFiles() } });
    const { headers } = await hub.send('/');
    const policy = (headers.get('content-security-policy') ?? '').split('; ');
    expect(policy).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "connect-src 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
        "require-trusted-types-for 'script'",
      ]),
    );
    expect(policy.join()).not.toMatch(/unsafe|data:|\*/);
  });

  it('is not there when a hub is given none', async () => {
    const hub = await startHub([]);
    expect([(await hub.send('/')).status, (await hub.send('/login')).status]).toEqual([404, 404]);
  });
});
