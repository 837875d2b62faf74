// A certificate for 127.0.0.1 and the authority that signed it, made with openssl for one run.
import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the paths of the files: `ca`, `cert` and `key`. */
export function makeCertificates(folder, identity) {
  const [ca, caKey] = [join(folder, 'ca.pem'), join(folder, 'ca.key')];
  const [cert, key] = [join(folder, 'server.pem'), join(folder, 'server.key')];
  const names = join(folder, 'names.txt');
  const request = join(folder, 'server.csr');
  writeFileSync(names, 'subjectAltName=IP:127.0.0.1\n');
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  openssl(
    'req',
    '-x509',
    ...newKey,
    '-days',
    '2',
    '-subj',
    '/CN=test',
    '-keyout',
    caKey,
    '-out',
    ca,
  );
  openssl('req', '-new', ...newKey, '-subj', '/CN=127.0.0.1', '-keyout', key, '-out', request);
  const signed = ['-CA', ca, '-CAkey', caKey, '-CAcreateserial', '-days', '2', '-extfile', names];
  openssl('x509', '-req', '-in', request, ...signed, '-out', cert);
  // PostgreSQL takes a key only from a file that its owner alone can read.
  chmodSync(key, 0o600);
  if (identity.uid) for (const each of [ca, cert, key]) chownSync(each, identity.uid, identity.gid);
  return { ca, cert, key };
}

function openssl(...args) {
  const { status, error, stderr } = spawnSync('openssl', args, { encoding: 'utf8' });
  if (error) throw error;
  if (status !== 0) throw new Error(`openssl ${args[0]} failed: ${stderr}`);
}
