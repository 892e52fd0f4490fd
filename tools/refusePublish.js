// npm reads package.json again after packing, so publishing the folder would send the wrong manifest.
console.error("Publish the tarball, not the folder: npm pack && npm publish ghostlight-*.tgz");
process.exit(1);
