"""`ludens study`: check, add and run studies with people."""
