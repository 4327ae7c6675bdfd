"""What runs inside the student kernel. Nothing here is trusted once student code has run beside it."""
