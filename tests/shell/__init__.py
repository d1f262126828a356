"""The shell round the core: files, sockets, ports and the command line."""
