// Plain JavaScript, because an older Node cannot read the TypeScript of the other scripts.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < 22 || (major === 22 && minor < 18)) {
  console.error(
    `This project needs Node.js 22.18 or newer; this is ${process.version} (${process.execPath}). ` +
      'Run it through npm after `npm ci`, which installs Node 24 into node_modules.',
  );
  process.exit(1);
}
